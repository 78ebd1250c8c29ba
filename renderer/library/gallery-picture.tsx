import { useTheme } from '../state/theme.ts';

/** Drawn of real runs by `npm run pictures`: NAME.light.svg and NAME.dark.svg. */
const files = import.meta.glob<string>('../../experiments/pictures/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The main chart of an experiment as it came out once; plain where there is none. It repeats what the run says in numbers, so it has no text. */
export const GalleryPicture = ({ id }: { readonly id: string }) => {
  const name = `${id.replace(/^gallery:/, '')}.${useTheme()}.svg`;
  const url = files[`../../experiments/pictures/${name}`];
  return <div className="gallery-picture">{url && <img src={url} alt="" loading="lazy" />}</div>;
};
