// What a reader of the types relies on: tsc fails if one of these lines means something else.

import { API_VERSION, Client, Problem, createClientSeed } from "../src/client.js";
import type { Game, GameSummary } from "../src/client.js";

const otto = new Client("https://otto.example", { token: "otto_…", maxAttempts: 3 });
const version: "1" = API_VERSION;

export async function playFirstAction(id: string): Promise<number> {
  const view: Game = await otto.games.view(id);
  const [action] = await otto.games.legal(id);
  if (action === undefined) return view.seq;
  try {
    return (await otto.games.play(id, { action, seq: view.seq }, { idempotencyKey: version })).seq;
  } catch (error) {
    if (error instanceof Problem && error.code === "stale") return error.status;
    throw error;
  }
}

export async function readLists(): Promise<GameSummary[]> {
  const rows: GameSummary[] = (await otto.games.list({ status: "open" })).results;
  for await (const row of otto.games.list({ own: true })) rows.push(row);
  for await (const event of otto.events.stream({}, { lastEventId: "5" })) if (event.event === "entry") break;
  // @ts-expect-error: no such filter
  otto.games.list({ colour: "red" });
  // @ts-expect-error: there is nothing to play
  otto.games.play("k3", { seq: createClientSeed().length });
  return rows;
}
