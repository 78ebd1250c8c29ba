/** A name and its value, such as "Order" and "interleaved, seed 1", with an optional tooltip. */
export type Fact = readonly [name: string, value: string, about?: string];
