/** Skills are found by their names in any case, so that two spellings are one skill. */
export function isSameSkill(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function includesSkill(names: readonly string[], name: string): boolean {
  return names.some((one) => isSameSkill(one, name));
}

/** Gives every name the spelling that was first seen. */
export function oneSpelling(): (name: string) => string {
  const spellings = new Map<string, string>();
  return (name) => {
    const key = name.toLowerCase();
    const spelling = spellings.get(key) ?? name;
    spellings.set(key, spelling);
    return spelling;
  };
}
