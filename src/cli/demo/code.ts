// The code that the scripted agent writes, file by file.

const TEST_IMPORTS = "import { equal } from 'node:assert/strict'\nimport { test } from 'node:test'\n"

export const money = {
  'src/money.ts': `export function money(cents: number): string {
  return (cents / 100).toFixed(2)
}
`,
  'src/money.test.ts': `${TEST_IMPORTS}import { money } from './money.ts'

test('cents are shown as money', () => equal(money(1205), '12.05'))
test('a debt has its sign', () => equal(money(-50), '-0.50'))
`,
}

const cartOfProducts = `import type { Product } from './product.ts'

export type Cart = readonly Product[]

export function put(cart: Cart, product: Product): Cart {
  return [...cart, product]
}
`

const putTests = `${TEST_IMPORTS}import { put } from './cart.ts'
import { tea } from './product.ts'

test('a product can be put in twice', () => equal(put(put([], tea), tea).length, 2))
`

export const cartWithoutTotal = { 'src/cart.ts': cartOfProducts, 'src/cart.test.ts': putTests }

export const cart = {
  'src/cart.ts': `${cartOfProducts}
export function total(cart: Cart): number {
  return cart.reduce((sum, { cents }) => sum + cents, 0)
}
`,
  'src/cart.test.ts': `${putTests
    .replace('{ put }', '{ put, total }')
    .replace('{ tea }', '{ cup, tea }')}test('the total is the sum', () => equal(total([tea, cup]), 1649))
test('an empty cart costs nothing', () => equal(total([]), 0))
`,
}

const discountTests = `${TEST_IMPORTS}import { discounted } from './discount.ts'

test('half off', () => equal(discounted(1000, 50), 500))
test('10 % off 1995 is 1796', () => equal(discounted(1995, 10), 1796))
`

export const discountInFractions = {
  'src/discount.ts': `export function discounted(cents: number, percent: number): number {
  return cents - (cents * percent) / 100
}
`,
  'src/discount.test.ts': discountTests,
}

export const discount = {
  'src/discount.ts': `export function discounted(cents: number, percent: number): number {
  return Math.round(cents - (cents * percent) / 100)
}
`,
}

export const taxAtOneRate = {
  'src/tax.ts': `export function withTax(cents: number): number {
  return Math.round(cents * 1.19)
}
`,
  'src/tax.test.ts': `${TEST_IMPORTS}import { withTax } from './tax.ts'

test('tax is added', () => equal(withTax(1000), 1190))
`,
}

export const tax = {
  'src/tax.ts': `export function withTax(cents: number, percent: number): number {
  return Math.round(cents * (1 + percent / 100))
}
`,
  'src/tax.test.ts': `${TEST_IMPORTS}import { withTax } from './tax.ts'

test('tax is added', () => equal(withTax(1000, 19), 1190))
test('at another rate', () => equal(withTax(1000, 7), 1070))
`,
}

export const shipping = {
  'src/shipping.ts': `const FREE_FROM_CENTS = 5000
const COST_CENTS = 490

export function shippingFor(totalCents: number): number {
  return totalCents >= FREE_FROM_CENTS ? 0 : COST_CENTS
}
`,
  'src/shipping.test.ts': `${TEST_IMPORTS}import { shippingFor } from './shipping.ts'

test('a small order pays', () => equal(shippingFor(4999), 490))
test('from 50.00 on it is free', () => equal(shippingFor(5000), 0))
`,
}

export const order = {
  'src/order.ts': `import { type Cart, total } from './cart.ts'
import { discounted } from './discount.ts'
import { withTax } from './tax.ts'

export interface Order {
  readonly cart: Cart
  readonly cents: number
}

export function orderOf(cart: Cart, discountPercent: number, taxPercent: number): Order {
  return { cart, cents: withTax(discounted(total(cart), discountPercent), taxPercent) }
}
`,
  'src/order.test.ts': `${TEST_IMPORTS}import { orderOf } from './order.ts'
import { cup, tea } from './product.ts'

test('discount first, then tax', () => equal(orderOf([tea, cup], 10, 19).cents, 1766))
test('nothing costs nothing', () => equal(orderOf([], 10, 19).cents, 0))
`,
}

export const receipt = {
  'src/receipt.ts': `import { money } from './money.ts'
import type { Order } from './order.ts'

export function receiptFor({ cart, cents }: Order): string {
  const lines = cart.map(({ name, cents: price }) => name + ' ' + money(price))
  return [...lines, 'To pay ' + money(cents)].join('\\n')
}
`,
  'src/receipt.test.ts': `${TEST_IMPORTS}import { orderOf } from './order.ts'
import { cup, tea } from './product.ts'
import { receiptFor } from './receipt.ts'

test('every product is listed', () =>
  equal(receiptFor(orderOf([tea, cup], 10, 19)), 'Tea 3.99\\nCup 12.50\\nTo pay 17.66'))
`,
}
