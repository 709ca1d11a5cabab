// Comments describe the code as it is. Open work belongs in an issue, history in the commit message.
import { type SourceFile, type Violation, violation } from '../source.ts'

// At the start of a line of a comment, or with the colon or bracket of a note to oneself; a sentence about TODOs is none.
const unfinished = /^[\s*]*(TODO|FIXME|XXX)\b|\b(TODO|FIXME|XXX)(:|\()/m
const past =
  /^[\s*]*((previously|formerly|originally)\b|(added|changed|fixed|moved|removed|renamed|replaced|updated) (in|on|since) (v?\d|#|issue|PR\b)|@(author|since|version)\b)/im

export function text(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) =>
    (file.code?.comments ?? []).flatMap(({ value, start }) => {
      if (unfinished.test(value))
        return [violation(file, start, 'this is not finished; finish it, or open an issue and remove the note')]
      if (past.test(value))
        return [violation(file, start, 'a comment tells why the code is so, not how it came about; leave that to git')]
      return []
    }),
  )
}
