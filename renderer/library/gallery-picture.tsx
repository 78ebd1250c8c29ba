import { useTheme } from '../state/theme.ts';

/** `npm run pictures` draws these from real runs: NAME.light.svg and NAME.dark.svg. */
const files = import.meta.glob<string>('../../experiments/pictures/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The main chart of a recorded run; an empty box without one. It is decorative, so its alternative text is empty. */
export const GalleryPicture = ({ id }: { readonly id: string }) => {
  const name = `${id.replace(/^gallery:/, '')}.${useTheme()}.svg`;
  const url = files[`../../experiments/pictures/${name}`];
  return <div className="gallery-picture">{url && <img src={url} alt="" loading="lazy" />}</div>;
};
