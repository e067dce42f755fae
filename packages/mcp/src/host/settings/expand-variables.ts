export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

export interface Expanded {
  readonly text: string;
  /** Values that came from the environment. */
  readonly values: readonly string[];
  readonly missing: readonly string[];
}

/** `${NAME}` and `${NAME:-default}`, as other clients read them. Nothing else has a meaning. */
export function expandVariables(text: string, env: Environment): Expanded {
  const values: string[] = [];
  const missing: string[] = [];
  const expanded = text.replaceAll(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && value !== "") values.push(value);
    else if (fallback === undefined) missing.push(name);
    return value === undefined || value === "" ? (fallback ?? "") : value;
  });
  return { text: expanded, values, missing };
}
