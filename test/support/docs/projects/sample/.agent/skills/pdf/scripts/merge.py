import sys

print("joined", " and ".join(sys.argv[1:]) or "nothing")
