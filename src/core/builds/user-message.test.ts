import { expect, it } from 'vitest'
import { type Message, messagesFor } from './user-message.ts'

const said = (id: string, taker: string | null): Message => ({ id, by: 'ada', text: `text ${id}`, taker })

it('what nobody took yet, and what the taker took before, is the taker’s; the rest is not', () => {
  const messages = [said('1', 'two/1/1'), said('2', 'two/1/2'), said('3', null)]
  expect(messagesFor(messages, 'two/1/2')).toEqual([said('2', 'two/1/2'), said('3', 'two/1/2')])
  expect(messagesFor(messages, 'three/1/1')).toEqual([said('3', 'three/1/1')])
  expect(messagesFor([], 'two/1/1')).toEqual([])
})
