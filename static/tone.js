// The sound of "your turn", for visitors who have chosen it.

const MAX_START_MS = 300; // a sound that comes later than this would mean nothing

// Plays two short notes; browsers allow it once the page has been touched. Even then audio may begin suspended,
// and where it is not allowed, resuming it never ends.
export async function playTone() {
  const audio = new AudioContext();
  const timeout = new Promise((resolve) => { setTimeout(resolve, MAX_START_MS); });
  await Promise.race([audio.resume().catch(() => {}), timeout]);
  if (audio.state !== "running") return audio.close();
  [[660, 0], [880, .14]].forEach(([frequency, delay]) => {
    const oscillator = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime + delay;
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(.0001, start);
    volume.gain.exponentialRampToValueAtTime(.15, start + .02);
    volume.gain.exponentialRampToValueAtTime(.0001, start + .25);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + .3);
  });
  return setTimeout(() => audio.close(), 1000);
}
