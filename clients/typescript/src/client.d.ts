import type { Resources } from "./operations.d.ts";

export type * from "./types.d.ts";
export type { Resources } from "./operations.d.ts";
export { API_VERSION } from "./operations.js";

export interface ClientOptions {
  /** A personal token, or the access token of an app; without one you are anonymous. */
  token?: string | undefined;
  /** How often a request is sent before its error is thrown; 5 if you give none. */
  maxAttempts?: number;
  /** The longest wait in seconds that the server may ask for; 90 if you give none. */
  maxWait?: number;
  /** Seconds without an answer after which a request has failed; 20 if you give none. */
  timeout?: number;
  /** Another fetch, for example of a proxy. */
  fetch?: typeof globalThis.fetch;
  /** Another way to wait so many seconds. */
  sleep?: (seconds: number) => Promise<void>;
}

export interface CallOptions {
  /** The Idempotency-Key, where the operation takes one; without it a random one is sent. */
  idempotencyKey?: string;
  /** Ends the call. */
  signal?: AbortSignal;
  /** Is called with the response, whose headers you may want: ETag, Otto-Seq, RateLimit. */
  onResponse?: (response: Response) => void;
}

export interface StreamOptions extends CallOptions {
  /** The id of the last event that you have: what came since then comes first. */
  lastEventId?: string | undefined;
}

/** A list: await it for its first page, or iterate over all of its rows. */
export interface Listing<Page, Row> extends PromiseLike<Page>, AsyncIterable<Row> {}

/** OTTO online as one player: every operation of the API, by resource. */
export interface Client extends Resources {}
export class Client {
  /** `baseUrl` is the address of the site, such as https://otto.example. */
  constructor(baseUrl: string, options?: ClientOptions);
}

/** The base of all errors of this library. */
export class OttoError extends Error {}

/** No answer after all attempts. */
export class Unreachable extends OttoError {}

/** The server refuses: `code` is stable and for programs, `detail` for people, `body` everything. */
export class Problem extends OttoError {
  constructor(status: number, code: string, detail: string, body: Record<string, unknown>);
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly body: Record<string, unknown>;
}

/** A random client seed, made on your side so that the server cannot choose it. */
export function createClientSeed(): string;
