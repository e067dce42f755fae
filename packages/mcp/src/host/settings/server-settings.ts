/** A server as it is started or asked, with all variables in their places. */
export type ServerSettings = ProgramSettings | AddressSettings;

interface CommonSettings {
  /** What the user calls it: part of the names of its skills and tools. */
  readonly label: string;
  readonly trust: boolean;
  readonly skills: boolean;
  readonly tools: boolean | readonly string[];
  readonly readOnlyTools: boolean | readonly string[];
  readonly callMs: number | undefined;
  /** Values that no log, no person and no model gets to see. */
  readonly secrets: readonly string[];
}

export interface ProgramSettings extends CommonSettings {
  readonly kind: "program";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

interface AddressSettings extends CommonSettings {
  readonly kind: "address";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}
