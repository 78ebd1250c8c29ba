interface TextProps {
  readonly name: string;
  readonly text: string;
  /** The text on one line. */
  readonly short: string;
}

/** The name of a statement over its text, which is whole in its title. */
export const NamedText = ({ name, text, short }: TextProps) => (
  <>
    <span>{name}</span>
    <code className="mono test-sql-text" title={text}>
      {short}
    </code>
  </>
);

interface OriginsProps {
  /** The parameters with the origin of their values, in words. */
  readonly origins: readonly (readonly [parameter: string, origin: string])[];
}

/** The origin of the values of each parameter. */
export const ParameterOrigins = ({ origins }: OriginsProps) =>
  origins.map(([parameter, origin]) => (
    <div key={parameter}>
      <code className="mono">:{parameter}</code> {origin}
    </div>
  ));
