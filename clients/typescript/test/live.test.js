// A whole game over a live server. OTTO_URL is its address, OTTO_ADA and OTTO_BOB are tokens with the scopes
// read and play; somebody must run its worker, which opens the blind match of a level game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, Problem } from "../src/client.js";

const { OTTO_URL, OTTO_ADA, OTTO_BOB } = process.env;
const skip = OTTO_URL ? false : "no live server: set OTTO_URL, OTTO_ADA and OTTO_BOB";
const TIMEOUT_MS = 120_000;

/** A fetch whose streams break after so many pieces. */
function createBreakingFetch(pieces) {
  const counts = { connections: 0 };
  const breakingFetch = async (address, init) => {
    const response = await fetch(address, init);
    counts.connections += 1;
    let left = pieces;
    const breaking = new TransformStream({
      transform(piece, controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.error(new TypeError("the line went dead"));
      },
    });
    return new Response(response.body.pipeThrough(breaking), response);
  };
  return { breakingFetch, counts };
}

/** Plays any legal action whenever this player is to act, until the game is over. */
async function playOn(otto, id) {
  for await (const event of otto.games.stream(id)) {
    if (event.event === "end") return;
    if (event.event !== "game") continue;
    let view = event.data; // as this player sees it
    try {
      while (view.you?.legal.length) {
        const action = view.you.legal[Math.floor(Math.random() * view.you.legal.length)];
        view = await otto.games.play(id, { action, seq: view.seq });
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 409) throw error; // the game has moved on
    }
  }
}

test("a game is played to its end by two, and watched over a line that breaks", { skip, timeout: TIMEOUT_MS }, async () => {
  const ada = new Client(OTTO_URL, { token: OTTO_ADA });
  const bob = new Client(OTTO_URL, { token: OTTO_BOB });
  const { breakingFetch, counts } = createBreakingFetch(4);
  const spectator = new Client(OTTO_URL, { fetch: breakingFetch, sleep: async () => {} });

  const { id } = await ada.games.create({ seats: 2, target: 4 });
  await ada.games.join(id);
  const name = (await bob.me.show()).name;
  await ada.games.invite(id, { name });
  assert.deepEqual((await bob.me.invitations()).map((invitation) => invitation.game), [id]);
  const started = await bob.games.join(id);
  assert.equal(started.status, "running");

  const seqs = [];
  const watch = async () => {
    for await (const event of spectator.games.stream(id, {}, { lastEventId: "0" })) {
      if (event.event === "action") seqs.push(event.data.seq);
    }
  };
  await Promise.all([playOn(ada, id), playOn(bob, id), watch()]);

  const end = await new Client(OTTO_URL).games.view(id);
  assert.equal(end.status, "over");
  assert.deepEqual(seqs, Array.from({ length: end.seq }, (_, index) => index + 1), "each action once, in order");
  assert.ok(counts.connections > 2, "the line did break");
  const record = await ada.games.record(id);
  assert.equal(record.actions.length, end.seq);
  assert.equal(new Set(record.fairness.client_seeds.map((seed) => seed.length)).size, 1);
  const log = [];
  for await (const line of ada.games.log(id)) log.push(line.seq);
  assert.deepEqual(log, seqs);
  assert.match(await ada.games.boardSvg(id), /^<svg/);
  assert.equal(new Uint8Array(await ada.games.boardPng(id, { width: 200 }))[1], "P".charCodeAt(0));
});

test("refusals are problems with a code", { skip }, async () => {
  const anonymous = new Client(OTTO_URL);
  await assert.rejects(anonymous.games.create({}), { status: 401, code: "not-authenticated" });
  await assert.rejects(anonymous.games.view("nosuchgame"), { status: 404 });
});
