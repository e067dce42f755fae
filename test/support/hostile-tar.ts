/** An entry; whatever is given replaces what would be true. */
export interface TarPart {
  name: string | Buffer;
  content?: string | Buffer;
  type?: string;
  size?: number;
  mode?: number;
  link?: string;
  prefix?: string;
  checksum?: number;
  /** Written into the field as it is. */
  rawSize?: Buffer;
}

const BLOCK = 512;

/** A tar whose every field can lie. Ends as it should unless another end is given. */
export function hostileTar(parts: readonly TarPart[], end = Buffer.alloc(2 * BLOCK)): Buffer {
  return Buffer.concat([...parts.flatMap(entryOf), end]);
}

/** An extended header of pax. */
export function pax(records: readonly (readonly [string, string])[], type = "x"): TarPart {
  const content = records.map(([key, value]) => paxRecord(key, value)).join("");
  return { name: "PaxHeaders/x", type, content };
}

/** A long name as GNU tar writes it. */
export function gnuLongName(name: string): TarPart {
  return { name: "././@LongLink", type: "L", content: `${name}\0` };
}

export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${rest}`;
}

function entryOf(part: TarPart): Buffer[] {
  const content = Buffer.from(part.content ?? "");
  const head = Buffer.alloc(BLOCK);
  Buffer.from(part.name).copy(head, 0, 0, 100);
  head.write(octal(part.mode ?? 0o644, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(part.size ?? content.length, 11), 124);
  part.rawSize?.copy(head, 124);
  head.write(octal(0, 11), 136);
  head.write(part.type ?? "0", 156, "latin1");
  head.write(part.link ?? "", 157);
  head.write("ustar\x0000", 257, "latin1");
  head.write(part.prefix ?? "", 345);
  sealHeader(head, part.checksum);
  return [head, content, Buffer.alloc(-content.length & (BLOCK - 1))];
}

/** Writes the checksum into a header: the right one, unless another is given. */
export function sealHeader(head: Buffer, checksum?: number): void {
  head.fill(0x20, 148, 156);
  const sum = checksum ?? head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 6)}\0 `, 148, "latin1");
}

/** Where the headers of a tar without lies stand. */
export function headersOf(tar: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    found.push(at);
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 135), 8);
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return found;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
