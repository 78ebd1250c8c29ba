/** Number fields give their value when they are left; a shortcut acts while one is still being typed in. The focus stays. */
export function settleInput(): void {
  const input = document.activeElement;
  if (!(input instanceof HTMLInputElement)) return;
  input.blur();
  input.focus();
}
