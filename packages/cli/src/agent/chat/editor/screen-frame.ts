import { displayWidth } from "@skillwright/core/internal";
import type { InputLayout } from "./layout-input.ts";

interface Output {
  write(text: string): unknown;
  readonly columns?: number;
}

// oxlint-disable-next-line no-control-regex -- what colours are made of
const COLOR = /\u001B\[[\d;]*m/g;

/** A few lines at the bottom of a terminal that are drawn again and again in the same place. */
export class ScreenFrame {
  readonly #output: Output;
  #drawn: InputLayout | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  draw(frame: InputLayout): void {
    const { lines, row, column } = frame;
    const up = lines.length - 1 - row;
    this.#output.write(
      this.#toStart() +
        lines.join("\r\n") +
        (up > 0 ? `\u001B[${up}A` : "") +
        `\r${column > 0 ? `\u001B[${column}C` : ""}`,
    );
    this.#drawn = frame;
  }

  /** Takes what is drawn away. */
  clear(): void {
    this.#output.write(this.#toStart());
    this.#drawn = undefined;
  }

  /** Keeps what is drawn; output continues below it. */
  leave(): void {
    const { lines = [], row = 0 } = this.#drawn ?? {};
    const down = lines.length - 1 - row;
    this.#output.write(`${down > 0 ? `\u001B[${down}B` : ""}\r\n`);
    this.#drawn = undefined;
  }

  clearScreen(): void {
    this.#output.write("\u001B[2J\u001B[H");
    this.#drawn = undefined;
  }

  /** To the first line that is drawn, with everything below it erased. */
  #toStart(): string {
    if (this.#drawn === undefined) return "\r\u001B[J";
    const rows = this.#rowsAbove(this.#drawn);
    return `${rows > 0 ? `\u001B[${rows}A` : ""}\r\u001B[J`;
  }

  /** A terminal that got narrower has broken the lines since they were drawn. */
  #rowsAbove({ lines, row, column }: InputLayout): number {
    const { columns = 80 } = this.#output;
    const above = lines.slice(0, row).map((line) => {
      const width = displayWidth(line.replaceAll(COLOR, ""));
      return Math.max(1, Math.ceil(width / columns));
    });
    return above.reduce((sum, rows) => sum + rows, 0) + Math.floor(column / columns);
  }
}
