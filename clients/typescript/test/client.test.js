// The client against a network made here: what is sent, what is sent again, and what is given up.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { Client, Problem, Unreachable } from "../src/client.js";
import { API_VERSION, OPERATIONS } from "../src/operations.js";

/** A network that gives these answers in turn; an Error is thrown. */
function createNetwork(...answers) {
  const requests = [];
  const fetch = async (address, init) => {
    requests.push({ address, ...init });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer();
  };
  return { fetch, requests };
}

const answerJson = (body, status = 200, headers = {}) => () =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

function createClient(network, waits = [], options = {}) {
  const sleep = async (seconds) => void waits.push(seconds);
  return new Client("http://otto.invalid/", { fetch: network.fetch, sleep, ...options });
}

test("every operation of the table is a method, and nothing else is", async () => {
  const otto = createClient(createNetwork(answerJson({})));
  const methods = Object.entries(otto).flatMap(([name, resource]) => Object.keys(resource).map((key) => `${name}.${key}`));
  assert.equal(methods.length, Object.keys(OPERATIONS).length);
  assert.equal(new Set(methods).size, methods.length);
  assert.ok(methods.includes("games.boardPng"));
  const declared = await readFile(new URL("../src/operations.d.ts", import.meta.url), "utf8");
  const names = [...declared.matchAll(/^    (\w+)\(.*options\?: (?:Call|Stream)Options\): /gm)].map((match) => match[1]);
  assert.deepEqual(names.sort(), methods.map((name) => name.split(".")[1]).sort());
});

test("it says which version of the API it speaks", () => assert.equal(API_VERSION, "1"));

test("a write with a key is sent again with the same key, until an answer comes", async () => {
  const network = createNetwork(new TypeError("reset"), answerJson({ detail: "?" }, 502), answerJson({ seq: 1 }, 201));
  const waits = [];
  const game = await createClient(network, waits).games.play("a/b", { action: "draw", seq: 0 });
  assert.equal(game.seq, 1);
  assert.equal(waits.length, 2);
  assert.equal(network.requests[0].address, "http://otto.invalid/api/v1/games/a%2Fb/actions/");
  const keys = network.requests.map((request) => request.headers["Idempotency-Key"]);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.deepEqual(new Set(keys).size, 1);
});

test("every change is tried again with its key, and waits for a server that asks for it", async () => {
  const broken = createNetwork(new TypeError("reset"));
  await assert.rejects(createClient(broken).games.decline("k3"), Unreachable);
  assert.equal(broken.requests.length, 5);
  const keys = broken.requests.map((request) => request.headers["Idempotency-Key"]);
  assert.equal(new Set(keys).size, 1);
  assert.ok(keys[0]);
  const waits = [];
  const busy = createNetwork(answerJson({ code: "throttled" }, 429, { "Retry-After": "7" }), () => new Response(null, { status: 204 }));
  assert.equal(await createClient(busy, waits).games.decline("k3"), undefined);
  assert.deepEqual(waits, [7]);
});

test("an error has its code; a wait that is too long is not waited for", async () => {
  const network = createNetwork(answerJson({ code: "throttled", detail: "too many" }, 429, { "Retry-After": "600" }));
  const error = await createClient(network).me.turns().catch((reason) => reason);
  assert.ok(error instanceof Problem);
  assert.deepEqual([error.status, error.code, error.detail], [429, "throttled", "too many"]);
  const gateway = createNetwork(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await assert.rejects(createClient(gateway).me.turns(), { code: "http-502" });
  assert.equal(gateway.requests.length, 5);
});

test("a seed is made here where one counts, and never where it would be refused", async () => {
  const network = createNetwork(answerJson({}));
  const otto = createClient(network);
  await otto.games.join("k3");
  await otto.games.join("k3", { client_seed: "mine" });
  await otto.games.rematch("k3");
  await otto.games.rematch("k3", { commitment: "c0" });
  const [first, own, plain, joining] = network.requests.map((request) => JSON.parse(request.body).client_seed);
  assert.match(first, /^[0-9a-f]{32}$/);
  assert.equal(own, "mine");
  assert.equal(plain, undefined);
  assert.match(joining, /^[0-9a-f]{32}$/);
});

test("a list is awaited for a page or iterated to its end", async () => {
  const pages = [answerJson({ results: [1, 2], next: "http://otto.invalid/api/v1/games/?cursor=x&status=open" }), answerJson({ results: [3], next: null })];
  const network = createNetwork(...pages);
  const rows = [];
  for await (const row of createClient(network).games.list({ status: "open", rated: undefined })) rows.push(row);
  assert.deepEqual(rows, [1, 2, 3]);
  assert.deepEqual(network.requests.map((request) => new URL(request.address).search), ["?status=open", "?cursor=x&status=open"]);
  const log = createNetwork(answerJson({ results: ["a"], next: 1 }), answerJson({ results: ["b"], next: null }));
  const lines = [];
  for await (const line of createClient(log).games.log("k3")) lines.push(line);
  assert.deepEqual(lines, ["a", "b"]);
  assert.match(log.requests[1].address, /\?after=1$/);
  assert.equal((await createClient(createNetwork(answerJson({ results: [], next: null }))).games.list()).next, null);
});

test("a stream goes on after its last event, over half lines and signs of life", async () => {
  const write = (text) => () => new Response(text);
  const network = createNetwork(
    write('{"event":"game","id":"0","data":{}}\n\n{"event":"action","id":"1","data":{"seq":1}}\n{"event":"act'),
    new TypeError("reset"),
    write('{"event":"action","id":"2","data":{"seq":2}}\n{"event":"end","id":null,"data":{}}\n'),
  );
  const ids = [];
  for await (const event of createClient(network).games.stream("k3")) ids.push(event.id);
  assert.deepEqual(ids, ["0", "1", "2", null]);
  assert.deepEqual(network.requests.map((request) => request.headers["Last-Event-ID"]), [undefined, "1", "1"]);
  assert.equal(network.requests[0].headers.Accept, "application/x-ndjson");
});

test("a stream that is refused says why, and one that nobody answers is given up", async () => {
  const refused = createNetwork(answerJson({ code: "not-found" }, 404));
  await assert.rejects(createClient(refused).games.stream("k3").next(), { code: "not-found" });
  const waits = [];
  await assert.rejects(createClient(createNetwork(new TypeError("no")), waits, { maxAttempts: 3 }).games.stream("k3").next(), Unreachable);
  assert.equal(waits.length, 2);
});

test("a stream waits as long as the server asks, but not for hours", async () => {
  const refuse = (seconds) => answerJson({ code: "too-many-streams" }, 429, { "Retry-After": seconds });
  const waits = [];
  const end = () => new Response('{"event":"end","id":null,"data":{}}\n');
  for await (const event of createClient(createNetwork(refuse("7"), end), waits).games.stream("k3")) assert.equal(event.event, "end");
  assert.deepEqual(waits, [7]);
  await assert.rejects(createClient(createNetwork(refuse("7200")), waits).games.stream("k3").next(), { code: "too-many-streams" });
  assert.deepEqual(waits, [7]);
});

test("records go on after the last whole one, and with the next response where there is one", async () => {
  const write = (text, headers = {}) => () => new Response(text, { headers });
  const broken = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"game":"a"}\n{"game":"b"}\n{"ga'));
        },
        pull: (controller) => controller.error(new TypeError("the line went dead")),
      }),
    );
  const more = { Link: '<http://otto.invalid/api/v1/me/games/records/?after=c>; rel="next"' };
  const busy = answerJson({ code: "throttled" }, 429, { "Retry-After": "7" });
  const network = createNetwork(broken, write('{"game":"c"}\n', more), busy, write('{"game":"d"}\n'));
  const [games, waits] = [[], []];
  for await (const record of createClient(network, waits).me.gamesRecords({ finished: true })) games.push(record.game);
  assert.deepEqual(games, ["a", "b", "c", "d"]);
  const queries = network.requests.map((request) => new URL(request.address).search);
  assert.deepEqual(queries, ["?finished=true", "?finished=true&after=b", "?finished=true&after=c", "?finished=true&after=c"]);
  assert.equal(waits.length, 2);
  assert.equal(waits[1], 7);
  await assert.rejects(createClient(createNetwork(answerJson({ code: "not-found" }, 404))).players.gamesRecords("x").next(), {
    code: "not-found",
  });
});

test("a wait ends when the signal of the call says so", async () => {
  const network = createNetwork(answerJson({ code: "throttled" }, 429, { "Retry-After": "60" }));
  const controller = new AbortController();
  const sleep = () => new Promise(() => controller.abort());
  const call = new Client("http://otto.invalid", { fetch: network.fetch, sleep }).me.turns({}, { signal: controller.signal });
  await assert.rejects(call, { name: "AbortError" });
  assert.equal(network.requests.length, 1);
});

test("an operation that will go is said once", async (context) => {
  const warn = context.mock.method(console, "warn", () => {});
  const headers = { Deprecation: "@1801440000", Sunset: "Mon, 01 Nov 2027 00:00:00 GMT" };
  const otto = createClient(createNetwork(answerJson([], 200, headers)));
  await otto.me.invitations();
  await otto.me.invitations();
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /^GET me\/invitations\/ is deprecated and ends on Mon, 01 Nov 2027/);
});

test("a call ends when its signal says so", async () => {
  const controller = new AbortController();
  const fetch = (address, init) =>
    new Promise((resolve, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)));
  const call = new Client("http://otto.invalid", { fetch }).games.view("k3", {}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
});

test("a forgotten id is an error here, not a request for another thing", () => {
  const network = createNetwork(answerJson({}));
  assert.throws(() => createClient(network).games.view(), TypeError);
  assert.equal(network.requests.length, 0);
});
