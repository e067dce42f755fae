const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ENCRYPTED_CLIENT_HELLO = 0xfe_0d;
/** A hello with post-quantum keys takes some 2 KiB. */
const MAX_HELLO_BYTES = 32 * 1024;

/** How a client begins. `more`: not all of it has come. */
type ClientStart =
  | { readonly kind: "more" | "plain" | "invalid" }
  | { readonly kind: "tls"; readonly serverName?: string; readonly isEncrypted: boolean };

/** The server that a TLS client names, by its first bytes. Nothing in them is trusted. */
export function readClientStart(bytes: Buffer): ClientStart {
  if (bytes.length === 0) return { kind: "more" };
  if (bytes[0] !== HANDSHAKE) return { kind: "plain" };
  const parts: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE || end === at + 5) return { kind: "invalid" };
    parts.push(bytes.subarray(at + 5, end));
    at = end;
  }
  const hello = Buffer.concat(parts);
  const wanted = hello.length < 4 ? Infinity : 4 + hello.readUIntBE(1, 3);
  if (hello.length > 0 && hello[0] !== CLIENT_HELLO) return { kind: "invalid" };
  if (hello.length < wanted) {
    return { kind: bytes.length > MAX_HELLO_BYTES ? "invalid" : "more" };
  }
  try {
    return readHello(hello.subarray(4, wanted));
  } catch {
    return { kind: "invalid" };
  }
}

/** Reading past the end throws. */
function readHello(hello: Buffer): ClientStart {
  let at = 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const names: string[] = [];
  let isEncrypted = false;
  // Without extensions the hello ends here.
  const end = at === hello.length ? at : at + 2 + hello.readUInt16BE(at);
  if (end > hello.length) return { kind: "invalid" };
  for (at += 2; at < end;) {
    const type = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    if (type === ENCRYPTED_CLIENT_HELLO) isEncrypted = true;
    if (type === SERVER_NAME) names.push(nameIn(hello.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  const [serverName] = names;
  if (names.length > 1) return { kind: "invalid" };
  return { kind: "tls", isEncrypted, ...(serverName !== undefined && { serverName }) };
}

/** One name of the one kind there is; a second one could be what a server goes by. */
function nameIn(list: Buffer): string {
  const length = list.readUInt16BE(3);
  if (list.readUInt16BE(0) !== 3 + length || list.readUInt8(2) !== 0) throw new RangeError();
  if (list.length !== 5 + length) throw new RangeError();
  return list.toString("latin1", 5);
}
