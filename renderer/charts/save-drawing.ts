/** Draws an SVG document `scale` times its size; answers the PNG as base64. */
export async function pngOfSvg(svg: string, scale: number): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The window has no 2D canvas');
  context.scale(scale, scale);
  context.drawImage(image, 0, 0);
  return canvas.toDataURL('image/png').replace('data:image/png;base64,', '');
}
