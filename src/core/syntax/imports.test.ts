import { expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { importedPaths } from './imports.ts'

it.each<[path: string, text: string, paths: readonly string[]]>([
  [
    'a.js',
    "import a, { b } from './b.js'\nimport './c.js'\nexport * from '../d.js'\nexport const e = 1",
    ['./b.js', './c.js', '../d.js'],
  ],
  [
    'a.js',
    "const a = require('./a')\nconst b = await import('./b')\nrequire(c)\nconst d = jest.requireActual('./d')",
    ['./a', './b', './d'],
  ],
  ['a.ts', "import type { A } from './a.ts'\nimport b = require('b')\nimport './a.ts'", ['./a.ts', 'b']],
  [
    'a.py',
    'import os, a.b as c\nfrom .d import e, f as g\nfrom . import h\nfrom i.j import *\n',
    ['os', 'a.b', '.d', '.d.e', '.d.f', '.', '.h', 'i.j'],
  ],
  ['a.go', 'package a\n\nimport "fmt"\nimport (\n\tx "example.org/x"\n)\n', ['fmt', 'example.org/x']],
  [
    'a.rs',
    'mod a;\nuse crate::b::{c, d as e, f::*, self};\nuse super::g;\nmod h { }\n',
    ['self::a', 'crate::b::c', 'crate::b::d', 'crate::b::f', 'crate::b', 'super::g'],
  ],
  ['A.java', 'import a.b.C;\nimport static d.E.*;\n', ['a.b.C', 'd.E.*']],
  ['a.rb', "require 'json'\nrequire_relative 'b'\nrequire_relative '../c'\n", ['json', './b', '../c']],
  ['a.c', '#include "a.h"\n#include <b.h>\n', ['./a.h', '<b.h>']],
])('%s %s', async (path, text, paths) => {
  expect(importedPaths(await readSource(path, text))).toEqual(paths)
})
