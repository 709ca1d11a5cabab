// Holds the write lock of a database for a second.
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2] ?? '')
database.exec('BEGIN IMMEDIATE')
console.log('held')
setTimeout(() => database.exec('COMMIT'), 1_000)
