module reshapec.example/pictures

go 1.19
