/** Thrown by readers of binary formats within this folder; callers turn it into a failure. */
export class MalformedError extends Error {}

/** Reads the binary encoding of SSH (RFC 4251 §5) from bytes of unknown origin. */
export class SshReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#position);
  }

  take(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw new MalformedError("it is cut off");
    const taken = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  string(): Buffer {
    return this.take(this.uint32());
  }

  text(): string {
    return this.string().toString("latin1");
  }

  end(): void {
    if (this.rest.length > 0) throw new MalformedError("there is more than belongs to it");
  }
}

/** Each part as an SSH string: its length, then its bytes. */
export function sshStrings(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** Base64 in the one spelling that it has; Node alone would take almost anything. */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (text === "" || bytes.toString("base64") !== text)
    throw new MalformedError("it is not base64");
  return bytes;
}
