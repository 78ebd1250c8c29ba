export const makeNsis = async () => {};
