/** A name and its value: "Order", "interleaved, seed 1"; and what is said of the value in a tooltip. */
export type Fact = readonly [name: string, value: string, about?: string];
