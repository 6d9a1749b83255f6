"""Read models of tournaments: one dataclass for each thing that pages, mails and the API show."""
