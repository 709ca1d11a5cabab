// What `npm test` runs before the tests.
import { installChromium } from './chromium.ts'

await installChromium()
