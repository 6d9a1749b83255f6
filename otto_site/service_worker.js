// Shows push messages, and the player's games as last seen when there is no net. The server puts SITE before it.
// It keeps one page, that of the games, until the player signs out; and files that are the same for everybody.

const PAGES = "otto-pages-1", FILES = "otto-files-1";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  const page = new Request(SITE.offlinePage, { credentials: "omit", cache: "reload" });
  event.waitUntil(caches.open(PAGES).then((cache) => cache.add(page)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (![PAGES, FILES].includes(name)) await caches.delete(name);
    await self.clients.claim();
  })());
});

// ------------------------------------------------------------------------------------------------ without a net

async function forgetPage() {
  await (await caches.open(PAGES)).delete(SITE.keptPage);
}

// Keeps the page of the games, and of the files only those that it names: others would pile up with each release.
async function keepPage(response) {
  await (await caches.open(PAGES)).put(SITE.keptPage, response.clone());
  const text = await response.text(), files = await caches.open(FILES);
  for (const request of await files.keys()) {
    if (!text.includes(new URL(request.url).pathname)) await files.delete(request);
  }
}

// The page of the games as it was, with the sentence that says so.
async function showKept() {
  const cache = await caches.open(PAGES), kept = await cache.match(SITE.keptPage);
  if (!kept) return cache.match(SITE.offlinePage);
  const headers = new Headers();
  for (const name of ["Content-Type", "Content-Language", "Content-Security-Policy"]) {
    if (kept.headers.has(name)) headers.set(name, kept.headers.get(name));
  }
  return new Response((await kept.text()).replace("data-offline hidden", "data-offline"), { headers });
}

async function openPage(request, path) {
  let response;
  try {
    response = await fetch(request);
  } catch {
    return showKept();
  }
  if (path === SITE.keptPage && request.method === "GET") {
    if (response.ok) await keepPage(response.clone());
    else if (response.type === "opaqueredirect" || response.status < 500) await forgetPage(); // nobody is signed in
  }
  return response;
}

async function openFile(request) {
  const cache = await caches.open(FILES);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(openPage(request, url.pathname));
  else if (request.mode === "navigate" && SITE.leavingPaths.includes(url.pathname)) event.waitUntil(forgetPage());
  else if (request.method === "GET" && url.pathname.startsWith(SITE.staticPath)) event.respondWith(openFile(request));
});

// ------------------------------------------------------------------------------------------------ push messages

self.addEventListener("push", (event) => {
  let message = {};
  try { message = event.data.json(); } catch { /* shown without a text: a browser wants to see something */ }
  event.waitUntil(self.registration.showNotification(message.title || "OTTO online", {
    body: message.body || "",
    tag: message.tag || "otto",
    renotify: true,
    icon: SITE.icon,
    data: { url: message.url || "/" },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { pathname, search, hash } = new URL(event.notification.data.url, self.location.origin);
  const address = new URL(pathname + search + hash, self.location.origin).href; // never another site
  event.waitUntil((async () => {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = windows.find((page) => page.url === address);
    return open ? open.focus() : self.clients.openWindow(address);
  })());
});
