import type { LookupFunction } from "node:net";
import type {
  NetworkAddress,
  NetworkLookup,
  NetworkTransport,
  TransportResponse,
} from "./network-request.ts";

export const systemLookup: NetworkLookup = async (host) => {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  const found = await lookup(host, { all: true, order: "ipv4first" });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** Connects to the given address and to no other; the certificate must be that of the host. */
export const httpsTransport: NetworkTransport = async ({
  url,
  method,
  headers,
  body,
  address,
  signal,
}) => {
  const { request } = process.getBuiltinModule("node:https");
  return new Promise<TransportResponse>((resolve, reject) => {
    const outgoing = request(
      {
        host: url.hostname,
        servername: url.hostname,
        port: url.port === "" ? 443 : Number(url.port),
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, host: url.host },
        // A connection of its own: one that is kept open may lead to another address.
        agent: false,
        rejectUnauthorized: true,
        maxHeaderSize: 32 * 1024,
        lookup: pinnedLookup(address),
        signal,
      },
      (incoming) => {
        const received = Object.entries(incoming.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(", ") : value,
        ]);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(received),
          body: incoming,
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
};

function pinnedLookup({ address, family }: NetworkAddress): LookupFunction {
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
