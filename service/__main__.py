"""`python -m service` is the command `tablelog`."""

import sys

from service.main import main

sys.exit(main())
