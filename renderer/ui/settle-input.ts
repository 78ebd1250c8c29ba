/**
 * Makes the focused field report its value, which number fields otherwise do when left. Shortcuts need this; the focus
 * stays.
 */
export function settleInput(): void {
  const input = document.activeElement;
  if (!(input instanceof HTMLInputElement)) return;
  input.blur();
  input.focus();
}
