import type { ServerResponse } from "node:http";

const AT_ONCE = 4;
/** What takes longer waits for something else than this process. */
const LONGEST = 250;

/**
 * Lets a few requests be worked on at a time, so that each sees how much waits for clients already. A
 * turn ends when the answer is written, or is not to be expected soon.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  async take(response: ServerResponse): Promise<void> {
    if (this.#taken >= AT_ONCE) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#taken++;
    }
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#next();
    };
    const timer = setTimeout(end, LONGEST);
    response.once("close", end);
    onHead(response, () => setImmediate(end));
  }

  /** Who waits gets the turn; nobody can come in between. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}

/** Node has no event for it. */
function onHead(response: ServerResponse, listener: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    listener();
    return writeHead(...given);
  };
}
