// OTTO online for programs: requests that survive a bad network, lists, and streams that are resumed.
// The methods come from the table of operations, which is generated from the OpenAPI document.
/* @ts-self-types="./client.d.ts" */

import { API_PATH, OPERATIONS } from "./operations.js";

export { API_VERSION } from "./operations.js";

const FIRST_WAIT_SECONDS = 0.2; // doubled with each attempt
const MAX_WAIT_SECONDS = 20;
const SILENCE_SECONDS = 45; // of a stream: the server sends a sign of life every 15 seconds
const BODY_METHODS = ["POST", "PUT", "PATCH"];

export class OttoError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

export class Unreachable extends OttoError {}

export class Problem extends OttoError {
  /** @param {number} status @param {string} code @param {string} detail @param {Record<string, unknown>} body */
  constructor(status, code, detail, body) {
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.body = body;
  }
}

/** @typedef {import("./client.d.ts").CallOptions} CallOptions */
/** @typedef {import("./client.d.ts").StreamOptions} StreamOptions */
/** @typedef {import("./operations.d.ts").Operation} Operation */
/** @typedef {Record<string, any>} Fields */

export class Client {
  #base;
  #token;
  #maxAttempts;
  #maxWait;
  #timeout;
  #fetch;
  #sleep;

  /** @param {string} baseUrl @param {import("./client.d.ts").ClientOptions} [options] */
  constructor(baseUrl, options = {}) {
    this.#base = baseUrl.replace(/\/+$/, "") + API_PATH;
    this.#token = options.token;
    this.#maxAttempts = options.maxAttempts ?? 5;
    this.#maxWait = options.maxWait ?? 90;
    this.#timeout = options.timeout ?? 20;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#sleep = options.sleep ?? waitSeconds;
    /** @type {Fields} */
    const resources = {};
    for (const [id, operation] of Object.entries(OPERATIONS)) {
      const [resource = "", ...words] = id.split("_");
      const name = (words.length ? words : ["list"]).map((word, index) => (index ? capitalize(word) : word)).join("");
      const methods = (resources[resource] ??= {});
      methods[name] = (/** @type {any[]} */ ...values) => this.#call(operation, values);
    }
    Object.assign(this, resources);
  }

  /** @param {Operation} operation @param {any[]} values */
  #call(operation, values) {
    let path = operation.path;
    const names = path.match(/\{\w+\}/g) ?? [];
    for (const [index, name] of names.entries()) {
      if (values[index] === undefined || values[index] === "") throw new TypeError(`${operation.path}: ${name} is missing`);
      path = path.replace(name, encodeURIComponent(values[index]));
    }
    /** @type {[Fields, StreamOptions]} */
    const [fields, options] = [values[names.length] ?? {}, values[names.length + 1] ?? {}];
    if (operation.answer === "events") return this.#follow(path, fields, options);
    if (operation.answer === "lines") return this.#readLines(path, fields, options);
    const send = (/** @type {Fields} */ sent) => this.#send(operation, path, sent, options).then(readers[operation.answer]);
    return operation.answer === "page" ? new Listing(send, fields) : send(addClientSeed(operation, fields));
  }

  /** @param {Operation} operation @param {string} path @param {Fields} fields @param {CallOptions} options */
  async #send(operation, path, fields, options) {
    const hasBody = BODY_METHODS.includes(operation.method);
    const headers = this.#buildHeaders("application/json, */*;q=0.1");
    if (hasBody) headers["Content-Type"] = "application/json";
    if (operation.takesKey) headers["Idempotency-Key"] = options.idempotencyKey ?? createRandomHex();
    const isRepeatable = operation.method !== "POST" || operation.takesKey; // a PATCH is idempotent here
    const address = this.#base + path + (hasBody ? "" : formatQuery(fields));
    for (let attempt = 1; ; attempt++) {
      let wait = Math.min(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), MAX_WAIT_SECONDS) * (0.5 + Math.random() / 2);
      /** @type {OttoError} */
      let error;
      let isWorthRetrying = isRepeatable;
      const timeout = AbortSignal.timeout(this.#timeout * 1000);
      try {
        const response = await this.#fetch(address, {
          method: operation.method,
          headers,
          body: hasBody ? JSON.stringify(fields) : null,
          signal: options.signal ? joinSignals([options.signal, timeout]) : timeout,
        });
        options.onResponse?.(response);
        if (response.ok) {
          warnIfDeprecated(operation, response);
          return response;
        }
        error = await readProblem(response);
        isWorthRetrying = response.status === 429 || (isRepeatable && response.status >= 500);
        wait = Math.max(wait, readRetryAfter(response));
      } catch (cause) {
        if (options.signal?.aborted) throw cause;
        error = new Unreachable(`${operation.method} ${path}: ${cause}`, { cause });
      }
      if (attempt >= this.#maxAttempts || !isWorthRetrying || wait > this.#maxWait) throw error;
      await this.#wait(wait, options.signal);
    }
  }

  /**
   * Yields the events of a stream until it says `end`, connecting again after the last event.
   * @param {string} path @param {Fields} fields @param {StreamOptions} options
   */
  async *#follow(path, fields, options) {
    let lastId = options.lastEventId;
    for (let failures = 0; ; ) {
      /** @type {OttoError} */
      let error = new Unreachable(`GET ${path}: the stream ends again and again`);
      let wait = 0;
      try {
        const headers = this.#buildHeaders("application/x-ndjson");
        if (lastId !== undefined) headers["Last-Event-ID"] = lastId;
        for await (const event of this.#openLines(path + formatQuery(fields), headers, options)) {
          failures = 0;
          lastId = event.id ?? lastId;
          yield event;
          if (event.event === "end") return;
        }
      } catch (cause) {
        if (options.signal?.aborted) throw cause;
        if (cause instanceof Refused) {
          error = cause.problem;
          if (cause.problem.status !== 429 && cause.problem.status < 500) throw error;
          wait = cause.retryAfter;
        } else error = new Unreachable(`GET ${path}: ${cause}`, { cause });
      }
      if (++failures >= this.#maxAttempts || wait > this.#maxWait) throw error;
      await this.#wait(Math.max(wait, computeBackoff(failures)), options.signal);
    }
  }

  /**
   * Yields the records of one response after another, connecting again after the last whole record.
   * @param {string} path @param {Fields} fields @param {CallOptions} options
   */
  async *#readLines(path, fields, options) {
    const headers = this.#buildHeaders("application/x-ndjson");
    let query = fields;
    for (let failures = 0; ; ) {
      let [hasMore, wait] = [false, 0];
      /** @type {OttoError} */
      let error;
      const onResponse = (/** @type {Response} */ response) => {
        hasMore = /;\s*rel="?next"?/.test(response.headers.get("Link") ?? "");
        options.onResponse?.(response);
      };
      try {
        for await (const record of this.#openLines(path + formatQuery(query), headers, { ...options, onResponse })) {
          failures = 0;
          query = { ...query, after: record.game };
          yield record;
        }
        if (!hasMore) return;
        continue;
      } catch (cause) {
        if (options.signal?.aborted) throw cause;
        if (cause instanceof Refused) {
          error = cause.problem;
          if (cause.problem.status !== 429 && cause.problem.status < 500) throw error;
          wait = cause.retryAfter;
        } else error = new Unreachable(`GET ${path}: ${cause}`, { cause });
      }
      if (++failures >= this.#maxAttempts || wait > this.#maxWait) throw error;
      await this.#wait(Math.max(wait, computeBackoff(failures)), options.signal);
    }
  }

  /** @param {string} path @param {Record<string, string>} headers @param {CallOptions} options */
  async *#openLines(path, headers, options) {
    const silence = new AbortController();
    const startTimer = () => setTimeout(() => silence.abort(new Error("no sign of life")), SILENCE_SECONDS * 1000);
    let timer = startTimer();
    const signal = options.signal ? joinSignals([options.signal, silence.signal]) : silence.signal;
    try {
      const response = await this.#fetch(this.#base + path, { headers, signal, cache: "no-store" });
      options.onResponse?.(response);
      if (!response.ok) throw new Refused(await readProblem(response), readRetryAfter(response));
      if (!response.body) return;
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      let text = "";
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return; // half a line at the end is asked for again
          clearTimeout(timer);
          timer = startTimer();
          text += decoder.decode(value, { stream: true });
          const lines = text.split("\n");
          text = lines.pop() ?? "";
          for (const line of lines) if (line.trim()) yield JSON.parse(line); // an empty line is a sign of life
        }
      } finally {
        await reader.cancel().catch(() => {});
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits, or throws at once what a signal says. @param {number} seconds @param {AbortSignal} [signal] */
  async #wait(seconds, signal) {
    signal?.throwIfAborted();
    await new Promise((resolve, reject) => {
      const stop = () => reject(signal?.reason);
      signal?.addEventListener("abort", stop, { once: true });
      this.#sleep(seconds)
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener("abort", stop));
    });
  }

  /** @param {string} accept @returns {Record<string, string>} */
  #buildHeaders(accept) {
    return { Accept: accept, ...(this.#token ? { Authorization: `Bearer ${this.#token}` } : {}) };
  }
}

/** A list: await it for its first page, or iterate over all of its rows. Nothing is sent before. */
class Listing {
  #fetchPage;
  #fields;

  /** @param {(query: Fields) => Promise<any>} fetchPage @param {Fields} fields */
  constructor(fetchPage, fields) {
    this.#fetchPage = fetchPage;
    this.#fields = fields;
  }

  /** @param {(page: any) => any} [resolve] @param {(error: unknown) => any} [reject] */
  then(resolve, reject) {
    return this.#fetchPage(this.#fields).then(resolve, reject);
  }

  /** @param {(error: unknown) => any} reject */
  catch(reject) {
    return this.then(undefined, reject);
  }

  async *[Symbol.asyncIterator]() {
    for (let query = this.#fields; ; ) {
      const page = await this.#fetchPage(query);
      yield* page.results;
      if (page.next === null || page.next === undefined) return;
      if (typeof page.next === "number") query = { ...query, after: page.next };
      else query = Object.fromEntries(new URL(page.next).searchParams);
    }
  }
}

/** A stream was refused, perhaps for a while. */
class Refused extends Error {
  /** @param {Problem} problem @param {number} retryAfter */
  constructor(problem, retryAfter) {
    super(problem.message);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** @type {Record<string, (response: Response) => Promise<any>>} */
const readers = {
  json: (response) => response.json(),
  page: (response) => response.json(),
  text: (response) => response.text(),
  bytes: (response) => response.arrayBuffer(),
  none: async (response) => void (await response.arrayBuffer()),
};

/** What is sent, with a random client seed where none is given. @param {Operation} operation @param {Fields} fields */
function addClientSeed(operation, fields) {
  const isWanted = operation.seed === "always" || (operation.seed === "with commitment" && fields.commitment);
  return isWanted && fields.client_seed === undefined ? { ...fields, client_seed: createRandomHex() } : fields;
}

/** The error of a response; a proxy may answer without problem+json. @param {Response} response */
async function readProblem(response) {
  /** @type {any} */
  let body = await response.json().catch(() => null);
  if (typeof body !== "object" || body === null || Array.isArray(body)) body = {};
  return new Problem(response.status, body.code ?? `http-${response.status}`, body.detail ?? response.statusText, body);
}

/** The seconds of the Retry-After header, also where it is a date; 0 without one. @param {Response} response */
function readRetryAfter(response) {
  const text = response.headers.get("Retry-After");
  if (text === null) return 0;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Math.max(seconds, 0) || 0;
}

/** @type {Set<Operation>} */
const warned = new Set();

/** Says once of an operation that it will go, and when. @param {Operation} operation @param {Response} response */
function warnIfDeprecated(operation, response) {
  if (!response.headers.has("Deprecation") || warned.has(operation)) return;
  warned.add(operation);
  const end = response.headers.get("Sunset") ?? "some day";
  console.warn(`${operation.method} ${operation.path} is deprecated and ends on ${end}`);
}

/** AbortSignal.any, which Safari before 17.4 and Node before 20.3 lack. @param {AbortSignal[]} signals */
function joinSignals(signals) {
  if ("any" in AbortSignal) return AbortSignal.any(signals);
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
}

/** @param {Fields} fields */
function formatQuery(fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return entries.length ? `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}` : "";
}

/** The seconds before a stream is opened again; they double with each failure. @param {number} failures */
function computeBackoff(failures) {
  return Math.min(0.5 * 2 ** (failures - 1), 30) * (0.5 + Math.random() / 2);
}

/** @param {number} seconds @returns {Promise<void>} */
function waitSeconds(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

/** @param {string} word */
function capitalize(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function createRandomHex() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A random client seed, made on your side so that the server cannot choose it. */
export function createClientSeed() {
  return createRandomHex();
}
