"""Find and list records by what an ask says of them."""
