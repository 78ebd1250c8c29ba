/** A name and its value: "Order", "interleaved, seed 1". */
export type Fact = readonly [name: string, value: string];
