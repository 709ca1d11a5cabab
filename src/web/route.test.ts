import { describe, expect, it } from 'vitest'
import { pathOf, type Route, routeOf } from './route.ts'

describe('addresses', () => {
  it.for<[string, Route]>([
    ['/', { at: 'home' }],
    ['/ideas', { at: 'ideas' }],
    ['/ideas/i_1', { at: 'idea', idea: 'i_1' }],
    ['/start', { at: 'start' }],
    ['/start/i_1', { at: 'plan', idea: 'i_1' }],
    ['/build/b_1', { at: 'build', build: 'b_1', tab: 'tasks' }],
    ['/build/b_1/timeline', { at: 'build', build: 'b_1', tab: 'timeline' }],
    ['/build/b_1/task/log%2Fin', { at: 'task', build: 'b_1', task: 'log/in', session: null }],
    ['/build/b_1/task/a/2.1', { at: 'task', build: 'b_1', task: 'a', session: { name: '2.1', part: 'transcript' } }],
    ['/build/b_1/task/a/2.1/diff', { at: 'task', build: 'b_1', task: 'a', session: { name: '2.1', part: 'diff' } }],
    ['/build/b_1/task/%E0%A4%A', { at: 'task', build: 'b_1', task: '%E0%A4%A', session: null }],
  ])('%s leads to one place, and back', ([path, route]) => {
    expect(routeOf(path)).toEqual(route)
    expect(routeOf(pathOf(route))).toEqual(route)
  })

  it.for([
    '/nothing',
    '/ideas/i_1/more',
    '/start/i_1/more',
    '/build',
    '/build/b_1/nothing',
    '/build/b_1/graph/x',
    '/build/b/task/a/1/2',
    '/build/b/task/a/1/diff/x',
  ])('%s is no place', (path) => expect(routeOf(path)).toEqual({ at: 'nowhere', path }))
})
