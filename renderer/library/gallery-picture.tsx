import { useTheme } from '../state/theme.ts';

/** `npm run pictures` draws these pictures from real runs: NAME.light.svg and NAME.dark.svg. */
const files = import.meta.glob<string>('../../experiments/pictures/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

interface Props {
  readonly id: string;
  /** The description of the picture. Empty if the picture is decorative. */
  readonly alt?: string;
}

/** The main chart of a recorded run, or a sentence if there is none. */
export const GalleryPicture = ({ id, alt = '' }: Props) => {
  const name = `${id.replace(/^gallery:/, '')}.${useTheme()}.svg`;
  const url = files[`../../experiments/pictures/${name}`];
  return (
    <div className="gallery-picture">
      {url ? (
        <img src={url} alt={alt} loading="lazy" />
      ) : (
        <p className="faint">This experiment has no picture of a run yet.</p>
      )}
    </div>
  );
};
