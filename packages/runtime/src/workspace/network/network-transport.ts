/** All addresses of a host, as the system's resolver gives them. Throws when there is none. */
export type NetworkLookup = (host: string) => Promise<readonly NetworkAddress[]>;

export interface NetworkAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface TransportRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The only address that may be connected to; the name in the URL must not be resolved again. */
  readonly address: NetworkAddress;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** May be left before its end; then the connection is closed. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Makes one request and follows nothing. Throws when there is no answer. */
export type NetworkTransport = (request: TransportRequest) => Promise<TransportResponse>;
