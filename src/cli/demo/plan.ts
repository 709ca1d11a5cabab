// The six tasks of the demo, in the order in which the build starts them.
import type { TaskText } from '../../core/task/task.ts'

export interface PlannedTask {
  readonly id: string
  readonly deps: readonly string[]
  readonly text: Partial<TaskText> & { readonly title: string }
}

export const plan: readonly PlannedTask[] = [
  {
    id: 'money',
    deps: [],
    text: {
      title: 'Show cents as money',
      acceptance: ['1205 is shown as 12.05, -50 as -0.50'],
      filesExpected: ['src/money.ts'],
    },
  },
  {
    id: 'cart',
    deps: [],
    text: {
      title: 'Put products into a cart and add them up',
      acceptance: ['a product can be put in several times', 'the total is the sum of all prices'],
      filesExpected: ['src/cart.ts'],
    },
  },
  {
    id: 'discount',
    deps: ['cart'],
    text: {
      title: 'Take a discount off a total',
      acceptance: ['the result is whole cents: 10 % off 1995 is 1796'],
      filesExpected: ['src/discount.ts'],
    },
  },
  {
    id: 'tax',
    deps: ['cart'],
    text: {
      title: 'Add tax to a total',
      acceptance: ['whoever calls it says the rate', 'the result is whole cents'],
      filesExpected: ['src/tax.ts'],
    },
  },
  {
    id: 'shipping',
    deps: ['cart'],
    text: {
      title: 'Charge for shipping, free from an amount on',
      acceptance: ['large orders are shipped for free'],
      filesExpected: ['src/shipping.ts'],
    },
  },
  {
    id: 'checkout',
    deps: ['money', 'cart', 'discount', 'tax'],
    text: {
      title: 'Check out: make an order of a cart and print its receipt',
      acceptance: ['an order has its discount and its tax', 'the receipt lists every product'],
    },
  },
]
