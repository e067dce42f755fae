/** A map that is made when somebody first looks into it: most are never looked into. */
export class LateMap {
  readonly #keys: string[] = [];
  readonly #values: string[] = [];
  #made: Map<string, string> | undefined;

  add(key: string, value: string): void {
    this.#keys.push(key);
    this.#values.push(value);
  }

  get(key: string): string | undefined {
    this.#made ??= new Map(this.#keys.map((name, index) => [name, this.#values[index] ?? ""]));
    return this.#made.get(key);
  }
}
