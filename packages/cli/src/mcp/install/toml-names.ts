/**
 * What a name stands for. A table is open as long as something may still be added in the way it was made:
 * `implied` by the name of another, by a `head` of its own, or by a `dotted` key.
 */
type Named =
  | { readonly kind: "table"; by: "implied" | "head" | "dotted"; readonly names: Names }
  | { readonly kind: "tables"; last: Names }
  | { readonly kind: "value" };

type Names = Map<string, Named>;

/** The names of a TOML document or of an inline table, each of which may be given once. */
export class TomlNames {
  readonly #root: Names = new Map();
  #current = this.#root;

  /** `[a.b]`: whether it may stand there. */
  beginTable(keys: readonly string[]): boolean {
    const [names, last] = this.#lead(keys);
    if (names === undefined) return false;
    const before = names.get(last);
    if (before === undefined) {
      this.#current = new Map();
      names.set(last, { kind: "table", by: "head", names: this.#current });
      return true;
    }
    if (before.kind !== "table" || before.by !== "implied") return false;
    before.by = "head";
    this.#current = before.names;
    return true;
  }

  /** `[[a.b]]` */
  beginItem(keys: readonly string[]): boolean {
    const [names, last] = this.#lead(keys);
    if (names === undefined) return false;
    const before = names.get(last);
    if (before !== undefined && before.kind !== "tables") return false;
    this.#current = new Map();
    if (before === undefined) names.set(last, { kind: "tables", last: this.#current });
    else before.last = this.#current;
    return true;
  }

  /** `a.b = …` */
  addValue(keys: readonly string[]): boolean {
    let names = this.#current;
    for (const key of keys.slice(0, -1)) {
      const before = names.get(key);
      if (before === undefined) {
        const next: Names = new Map();
        names.set(key, { kind: "table", by: "dotted", names: next });
        names = next;
        continue;
      }
      if (before.kind !== "table" || before.by === "head") return false;
      before.by = "dotted";
      names = before.names;
    }
    const last = keys.at(-1) ?? "";
    if (names.has(last)) return false;
    names.set(last, { kind: "value" });
    return true;
  }

  /** Where the last key of a head stands; nowhere when something before it is no table. */
  #lead(keys: readonly string[]): [names: Names | undefined, last: string] {
    let names: Names | undefined = this.#root;
    const last = keys.at(-1) ?? "";
    for (const key of keys.slice(0, -1)) {
      const before: Named | undefined = names.get(key);
      if (before?.kind === "value") return [undefined, last];
      if (before === undefined) {
        const next: Names = new Map();
        names.set(key, { kind: "table", by: "implied", names: next });
        names = next;
      } else names = before.kind === "tables" ? before.last : before.names;
    }
    return [names, last];
  }
}
