/** Makes the focused field report its value, as number fields do when left; shortcuts need this. The focus stays. */
export function settleInput(): void {
  const input = document.activeElement;
  if (!(input instanceof HTMLInputElement)) return;
  input.blur();
  input.focus();
}
