// The acts of the scripted agent in each session; docs/guide/agents.md describes scenarios.
import * as code from './code.ts'

type Files = Readonly<Record<string, string>>
type Step = Readonly<Record<string, unknown>>
type Session = Readonly<Record<string, unknown>>

/** The answer of the owner of the shop; the script of `shipping` follows it. */
export const ANSWER = 'Shipping is 4.90, and free from 50.00 on.'

export const scenario: { readonly sessions: readonly Session[] } = {
  sessions: [
    worker('money', {}, 'I write the function and two tests.', [...writes(code.money), complete()]),

    worker('cart', { iteration: 1 }, 'First the cart itself; adding up comes next.', [
      ...writes(code.cartWithoutTotal),
      {
        scratchpad: {
          done: 'put() in src/cart.ts, with a test',
          testStatus: 'all green',
          nextStep: 'total() in src/cart.ts, with tests for an empty and a full cart',
          blockers: 'none',
        },
      },
      { signal: { kind: 'ITERATION_DONE' } },
    ]),
    worker('cart', { iteration: 2 }, 'The scratchpad says that total() is missing.', [
      ...writes(code.cart),
      complete(),
    ]),

    worker('discount', { attempt: 1 }, 'A percentage is simple.', [
      ...writes(code.discountInFractions),
      { answerText: 'The discount is done and all tests pass.' },
      complete(),
    ]),
    worker('discount', { attempt: 2 }, 'Half a cent was left over: I round.', [...writes(code.discount), complete()]),

    worker('tax', { attempt: 1 }, 'Tax is 19 %.', [...writes(code.taxAtOneRate), complete()]),
    worker('tax', { attempt: 2 }, 'The rate becomes an argument.', [...writes(code.tax), complete()]),

    worker('shipping', { attempt: 1 }, 'I look for the prices.', [
      stuck('nobody has written down what shipping costs, and from which amount on it is free'),
    ]),
    worker('shipping', { attempt: 2 }, 'The owner has answered.', [...writes(code.shipping), complete()]),

    worker('checkout', {}, 'An order, a discount, tax, a receipt …', [
      stuck('an order and its receipt at once is too much for one small change'),
    ]),
    worker('checkout.1', {}, 'Only the order.', [...writes(code.order), complete()]),
    worker('checkout.2', {}, 'The order is there: now its receipt.', [...writes(code.receipt), complete()]),

    {
      role: 'reviewer',
      steps: [{ answer: { decision: 'approve', reasons: ['small, tested, does what was asked'], required_fixes: [] } }],
    },
    {
      role: 'reviewer',
      task: 'tax',
      attempt: 1,
      steps: [
        {
          answer: {
            decision: 'request_changes',
            reasons: ['the rate is fixed in the code, although the caller is to say it'],
            required_fixes: ['take the rate as an argument, and test it with two rates'],
          },
        },
      ],
    },

    {
      role: 'sia',
      task: 'shipping',
      steps: [
        {
          answer: {
            type: 'escalate',
            reason: 'What does shipping cost, and from which amount on is it free? Only the owner of the shop knows.',
          },
        },
      ],
    },
    {
      role: 'sia',
      task: 'checkout',
      steps: [
        {
          answer: {
            type: 'decomposed',
            technique: 'decomposition',
            subtasks: [
              {
                title: 'Make an order of a cart, with its discount and its tax',
                acceptance: ['the discount is taken off before tax is added'],
                files_expected: ['src/order.ts'],
              },
              {
                title: 'Print the receipt of an order',
                acceptance: ['every product is listed, then what is to be paid'],
                files_expected: ['src/receipt.ts'],
              },
            ],
          },
        },
      ],
    },
  ],
}

interface When {
  readonly attempt?: number
  readonly iteration?: number
}

function worker(task: string, when: When, words: string, steps: readonly Step[]): Session {
  return { role: 'implementer', task, ...when, steps: [{ say: words }, ...steps] }
}

function writes(files: Files): Step[] {
  return Object.entries(files).map(([path, content]) => ({ write: { path, content } }))
}

function complete(): Step {
  return { signal: { kind: 'TASK_COMPLETE' } }
}

function stuck(reason: string): Step {
  return { signal: { kind: 'TASK_STUCK', reason } }
}
