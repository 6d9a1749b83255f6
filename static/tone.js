// The sound of "your turn", for visitors who have chosen it.

// Plays two short notes; browsers allow it once the page has been touched.
export function playTone() {
  const audio = new AudioContext();
  if (audio.state !== "running") return void audio.close();
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
  setTimeout(() => audio.close(), 1000);
}
