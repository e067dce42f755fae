import type { PackFailure } from "../../pack-failure.ts";
import { invalidEntry, refuseEntry } from "../entries/entry-gate.ts";
import { dataAfterEnd, invalidArchive, refuse } from "../refuse.ts";
import type { UnpackOptions } from "../unpack-options.ts";
import { type ExtendedHeader, MAX_EXTENDED_BYTES, readExtendedHeader } from "./extended-header.ts";
import { BLOCK, isZeroBlock, parseTarHeader, type TarHeader } from "./tar-header.ts";

/** What becomes of the bytes behind a header. */
type Body =
  | { readonly kind: "file"; readonly path: string; readonly isExecutable: boolean }
  | { readonly kind: "skipped" }
  | { readonly kind: "extended"; readonly type: string; readonly bytes: Buffer };

/** Writers fill the last record with zeros, of at most this size. */
const MAX_FILL_BYTES = 1024 * 1024;

/**
 * Unpacks a tar whose bytes come in parts of any size. It is our own because what hides in a tar is
 * in what a common reader forgives: kinds it does not know, two sizes, records that do not add up.
 */
export class TarUnpacker {
  readonly #options: Pick<UnpackOptions, "gate" | "writer">;
  readonly #block = Buffer.alloc(BLOCK);
  #filled = 0;
  #body: Body | undefined;
  #bodyLeft = 0;
  #bodyDone = 0;
  #padding = 0;
  #extended: ExtendedHeader | undefined;
  #zeroBlocks = 0;
  #fill = 0;

  constructor(options: Pick<UnpackOptions, "gate" | "writer">) {
    this.#options = options;
  }

  push(bytes: Buffer): PackFailure | undefined {
    let at = 0;
    while (at < bytes.length) {
      const step = this.#step(bytes.subarray(at));
      if (typeof step !== "number") return step;
      at += step;
    }
    return undefined;
  }

  /** When there is nothing more. */
  end(): PackFailure | undefined {
    return this.#zeroBlocks === 2 ? undefined : invalidArchive("is cut off");
  }

  /** Takes some of the bytes and says how many. */
  #step(bytes: Buffer): number | PackFailure {
    if (this.#zeroBlocks === 2) return this.#takeFill(bytes);
    if (this.#body !== undefined) return this.#takeBody(bytes, this.#body);
    if (this.#padding > 0) {
      const taken = Math.min(this.#padding, bytes.length);
      this.#padding -= taken;
      return taken;
    }
    if (this.#filled === 0 && bytes.length >= BLOCK) {
      return this.#takeHeader(bytes.subarray(0, BLOCK)) ?? BLOCK;
    }
    const taken = bytes.copy(this.#block, this.#filled);
    this.#filled += taken;
    if (this.#filled < BLOCK) return taken;
    this.#filled = 0;
    return this.#takeHeader(this.#block) ?? taken;
  }

  #takeFill(bytes: Buffer): number | PackFailure {
    this.#fill += bytes.length;
    if (this.#fill > MAX_FILL_BYTES || bytes.some((byte) => byte !== 0)) {
      return dataAfterEnd();
    }
    return bytes.length;
  }

  #takeHeader(block: Buffer): PackFailure | undefined {
    if (isZeroBlock(block)) {
      this.#zeroBlocks += 1;
      return this.#extended === undefined
        ? undefined
        : invalidArchive("ends where an entry is announced");
    }
    if (this.#zeroBlocks > 0) return invalidArchive("goes on after its end");
    const header = parseTarHeader(block);
    if (!header.ok) return header;
    if (header.type === "x" || header.type === "g" || header.type === "L") {
      return this.#announce(header);
    }
    const extended = this.#extended;
    this.#extended = undefined;
    const name = extended?.name ?? header.name;
    if (name === undefined) {
      return refuse("archive-unsafe", "the archive has a name with a NUL or that is not UTF-8");
    }
    if (extended?.size !== undefined && extended.size !== header.size) {
      return invalidEntry(name, "has two sizes");
    }
    return this.#begin(name, header);
  }

  /** An extended header: its body is kept, and says something of the next entry. */
  #announce({ type, size, name = "" }: TarHeader): PackFailure | undefined {
    const { gate } = this.#options;
    if (size > MAX_EXTENDED_BYTES)
      return invalidEntry(name, "is an extended header that is too large");
    if (type !== "g" && this.#extended !== undefined) {
      return invalidEntry(name, "is a second extended header for one entry");
    }
    const tooMuch = gate.countEntry() ?? gate.skipBytes(size);
    if (tooMuch !== undefined) return tooMuch;
    return this.#beginBody({ kind: "extended", type, bytes: Buffer.alloc(size) }, size);
  }

  #begin(name: string, { type, size, mode }: TarHeader): PackFailure | undefined {
    const { gate, writer } = this.#options;
    const problem = KINDS[type];
    if (problem !== undefined) return refuseEntry(name, problem);
    if (type !== "0" && type !== "5") {
      return refuseEntry(name, `is of a kind that is not allowed (${JSON.stringify(type)})`);
    }
    // Before there was a kind for folders, their names ended in a slash.
    const isFolder = type === "5" || name.endsWith("/");
    if (isFolder && size !== 0) return invalidEntry(name, "is a folder that has content");
    const admitted = gate.admit({ name, isFolder, size });
    if (!admitted.ok) return admitted;
    const { path } = admitted;
    if (path === undefined)
      return gate.skipBytes(size) ?? this.#beginBody({ kind: "skipped" }, size);
    const unmade = writer.makeFolders();
    if (unmade !== undefined || isFolder) return unmade;
    return this.#beginBody({ kind: "file", path, isExecutable: (mode & 0o100) !== 0 }, size);
  }

  #beginBody(body: Body, size: number): PackFailure | undefined {
    this.#bodyLeft = size;
    this.#bodyDone = 0;
    this.#padding = -size & (BLOCK - 1);
    this.#body = body;
    if (size > 0) return undefined;
    const result = this.#takeBody(EMPTY, body);
    return typeof result === "number" ? undefined : result;
  }

  #takeBody(bytes: Buffer, body: Body): number | PackFailure {
    const part = bytes.subarray(0, this.#bodyLeft);
    const isFirst = this.#bodyDone === 0;
    const isLast = part.length === this.#bodyLeft;
    this.#bodyLeft -= part.length;
    this.#bodyDone += part.length;
    if (isLast) this.#body = undefined;
    if (body.kind === "file") return this.#writePart(part, body, isFirst, isLast) ?? part.length;
    if (body.kind === "skipped") return part.length;
    part.copy(body.bytes, this.#bodyDone - part.length);
    return (isLast ? this.#readExtended(body.type, body.bytes) : undefined) ?? part.length;
  }

  #writePart(
    part: Buffer,
    { path, isExecutable }: Extract<Body, { kind: "file" }>,
    isFirst: boolean,
    isLast: boolean,
  ): PackFailure | undefined {
    const { writer } = this.#options;
    const problem = (isFirst ? writer.open(path, isExecutable) : undefined) ?? writer.append(part);
    return problem ?? (isLast ? writer.close() : undefined);
  }

  #readExtended(type: string, bytes: Buffer): PackFailure | undefined {
    const extended = readExtendedHeader(type, bytes);
    if (!extended.ok) return extended;
    if (type !== "g") this.#extended = extended;
    return undefined;
  }
}

const EMPTY = Buffer.alloc(0);

/** Kinds that are known, and refused. */
const KINDS: Readonly<Record<string, string>> = {
  "1": "is a hard link",
  "2": "is a symbolic link",
  "3": "is a device",
  "4": "is a device",
  "6": "is a FIFO",
  K: "is a link",
  S: "is a sparse file",
};
