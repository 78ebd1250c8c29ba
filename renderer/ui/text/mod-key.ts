/** The modifier key of the window's shortcuts, as its keyboard labels it. */
export const modKey = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';
