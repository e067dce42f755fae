/**
 * What the application sees of the world around it. It never reads the current directory, the
 * environment or a terminal by itself, and writes to neither stdout nor stderr.
 */
export interface AppHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the skills that come with the program. */
  readonly builtinDirectory?: string | undefined;
  /** Also notes what is only worth reading when something is investigated. */
  readonly verbose: boolean;
  /** Notes only warnings. */
  readonly quiet: boolean;
  /** One line for a person: a warning or a note. Not a result. */
  note(text: string): void;
  /** What takes long right now; each text replaces the one before. */
  progress?(text: string): void;
}

/** Where to look for skills and configuration, when it is not the usual places. */
export interface PlaceOptions {
  /** Only these folders of skills. */
  readonly root?: readonly string[];
  /** Only this source: `project`, `user` or `builtin`. */
  readonly source?: string;
  /** A configuration file for this session. */
  readonly config?: string;
}
