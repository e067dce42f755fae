const MAX_REMEMBERED = 200;

/**
 * The answers of one tool that tell of failures. A preset may say them in words, which nobody could
 * tell from the text of a file otherwise.
 */
export class FailedAnswers {
  readonly #texts = new Set<string>();
  readonly #values = new WeakSet();

  add(answer: unknown): unknown {
    if (typeof answer === "object" && answer !== null) this.#values.add(answer);
    if (typeof answer !== "string") return answer;
    this.#texts.delete(answer);
    this.#texts.add(answer);
    const [oldest] = this.#texts;
    if (this.#texts.size > MAX_REMEMBERED && oldest !== undefined) this.#texts.delete(oldest);
    return answer;
  }

  has(answer: unknown): boolean {
    if (typeof answer === "string") return this.#texts.has(answer);
    return typeof answer === "object" && answer !== null && this.#values.has(answer);
  }
}
