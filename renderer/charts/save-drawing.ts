import { type Table, toCsv } from '#presentation/tables/shared/csv.ts';
import { attempt, request } from '../state/bridge.ts';

/** Renders an SVG document at `scale` times its size. Returns the PNG as base64. */
async function pngOfSvg(svg: string, scale: number): Promise<string> {
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

/**
 * The menu entries that save a drawing as SVG and PNG, and its numbers as CSV. `svg` returns null if nothing is drawn.
 */
export const saveActions = (name: string, svg: (() => string) | null, table: () => Table) =>
  (['svg', 'png', 'csv'] as const).map((format) => ({
    id: format,
    label: `Save as ${format.toUpperCase()}…`,
    disabled: svg === null && format !== 'csv',
    run: () =>
      void attempt(`Could not save the ${format.toUpperCase()}`, async () => {
        const drawn = svg?.() ?? '';
        const data = format === 'csv' ? toCsv(table()) : format === 'svg' ? drawn : await pngOfSvg(drawn, 2);
        return request('files:save', { name, format, data });
      }),
  }));
