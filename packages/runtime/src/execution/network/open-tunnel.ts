import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { NetworkAddress } from "../../workspace/network/network-request.ts";
import { CONNECT_MS, connectOptions, IDLE_MS } from "./connect-options.ts";
import type { NetworkTarget } from "./domain-rule.ts";

/** Answers `CONNECT`: from then on the bytes go through as they are. */
export function openTunnel(
  client: Duplex,
  head: Buffer,
  target: NetworkTarget,
  addresses: readonly NetworkAddress[],
): void {
  const server = connect({ ...connectOptions(target, addresses), allowHalfOpen: true });
  let isOpen = false;
  server.setTimeout(CONNECT_MS);
  server.once("connect", () => {
    isOpen = true;
    server.setTimeout(IDLE_MS);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) server.write(head);
    client.pipe(server);
    server.pipe(client);
  });
  server.once("timeout", () => server.destroy());
  server.once("error", () => {});
  server.once("close", () => {
    if (isOpen) client.destroy();
    else refuseTunnel(client, 502, `${target.host}:${target.port} cannot be reached`);
  });
  client.once("close", () => server.destroy());
  if (client.destroyed) server.destroy();
}

export function refuseTunnel(client: Duplex, status: 400 | 403 | 502, message: string): void {
  const reasons = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" };
  const body = `${message}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  client.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => client.destroy());
}
