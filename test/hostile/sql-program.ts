// What an agent without a sandbox can do to the store: `node sql-program.ts DATABASE SQL`.
import { DatabaseSync } from 'node:sqlite'

const [path = '', sql = ''] = process.argv.slice(2)
const db = new DatabaseSync(path)
db.exec('PRAGMA busy_timeout = 5000')
db.exec(sql)
db.close()
