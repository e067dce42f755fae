/** Where and why the reading of YAML ends. */
export class Refusal extends Error {
  constructor(line, column, message) {
    super(message);
    Object.assign(this, { line, column });
  }
}
