import { gitAlone } from './fast-path.ts'
import { refsConformance } from './refs.conformance.ts'

refsConformance(gitAlone)
